// Copies a command. The page is whole without it.
(() => {
  "use strict";
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
        button.textContent = "Copied";
      } catch { button.textContent = "Copying failed"; }
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    });
  }
})();
