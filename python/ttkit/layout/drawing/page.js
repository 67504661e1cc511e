for (const drawing of document.querySelectorAll("svg")) {
  const clear = () => {
    drawing.classList.remove("pointing");
    drawing.querySelectorAll(".pointed").forEach((cell) => cell.classList.remove("pointed"));
  };
  drawing.addEventListener("mouseover", (event) => {
    clear();
    const cell = event.target.closest("g[class]");
    if (!cell) return;
    drawing.classList.add("pointing");
    drawing.querySelectorAll("." + cell.classList[0]).forEach((same) => same.classList.add("pointed"));
  });
  drawing.addEventListener("mouseleave", clear);
}
