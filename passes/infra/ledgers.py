"""Layout ledgers of pipelines: the costs of layouts, counted after each pass (`ttkit.analysis.ledger`)."""

from mlir import ir

from ttkit.analysis.ledger import Ledger
from ttkit.passes.infra.events import ModuleAfterEach, PassEvent
from ttkit.passes.manager import run_passes


class LedgerKeeper(ModuleAfterEach):
    """Keeps a ledger of each pipeline that it observes.

    Attributes:
        ledgers: in the order in which the pipelines began.
    """

    def __init__(self) -> None:
        super().__init__()
        self._by_pipeline: dict[int, Ledger] = {}

    @property
    def ledgers(self) -> list[Ledger]:
        """One for each pipeline, in the order in which they began."""
        return list(self._by_pipeline.values())

    def see(self, pass_name: str, event: PassEvent) -> None:
        """Counts the module's layouts after a pass."""
        self._by_pipeline.setdefault(event.pipeline, Ledger()).add(pass_name, event.module)


def layout_ledger(module: ir.Module, pipeline: str) -> Ledger:
    """Runs a pipeline on a module in place, as `ttkit.run_passes` does, counting the costs of layouts after each pass.

    Raises:
        Exception: those of `ttkit.run_passes`.
    """
    keeper = LedgerKeeper()
    run_passes(module, pipeline, subscribers=[keeper])
    return next(iter(keeper.ledgers), Ledger())
