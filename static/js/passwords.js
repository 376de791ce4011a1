/* A button that shows the password which is being typed. Without this file there is none. */
(() => {
  "use strict";
  for (const place of document.querySelectorAll(".password")) {
    const input = place.querySelector("input");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-text button-small";
    const show = (shown) => {
      input.type = shown ? "text" : "password";
      button.textContent = shown ? "Hide" : "Show";
      button.setAttribute("aria-label", shown ? "Hide the password" : "Show the password");
    };
    button.setAttribute("aria-controls", input.id);
    button.addEventListener("click", () => show(input.type === "password"));
    // Browsers offer to save what is sent as a password only.
    input.form.addEventListener("submit", () => show(false));
    show(false);
    place.append(button);
  }
})();
