// Starts tt-lsp for files of Triton's IR.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = workspace.getConfiguration("ttkit").get("server");
  const server = { command, args: [] };
  client = new LanguageClient("ttkit", "tt-lsp", server, { documentSelector: [{ language: "mlir" }] });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`ttkit: ${command} does not start (${error.message}); set ttkit.server to its path.`);
  }
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("ttkit.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}

function deactivate() {
  return client?.isRunning() ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
