/** A list of the workshop closes when one of its entries is pressed. */

addEventListener(
  "submit",
  ({ submitter }) => {
    const list = submitter?.closest("[popover]");
    if (list instanceof HTMLElement) list.hidePopover();
  },
  { capture: true },
);
