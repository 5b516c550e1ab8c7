/* Passkeys (WebAuthn). A button with `data-passkey` fetches the server's question, lets the browser
   answer it ("get": with a passkey it has, "create": with a new one), and sends the answer with the
   button's form to the button's own address. On the sign-in page the browser also offers its passkeys
   in the field of the username (`data-passkey-offer`). */

/** @param {string} text */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

/** @param {ArrayBuffer | null | undefined} buffer */
const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

let asking = new AbortController();

/** Returns the server's question, or null after leaving for the page that must come first.
 * @param {HTMLButtonElement} button
 * @returns {Promise<any>} */
async function question(button) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", button.form?.elements["csrfmiddlewaretoken"].value);
  const signal = asking.signal;
  const answer = await fetch(button.dataset.question ?? "", { method: "POST", body, signal });
  const isQuestion = answer.headers.get("Content-Type")?.startsWith("application/json");
  if (answer.ok && isQuestion) return await answer.json();
  if (answer.status === 429) throw new DOMException("", "QuotaExceededError");
  location.reload();
  return null;
}

/** Returns what the browser answers, as WebAuthn's JSON.
 * @param {any} asked
 * @param {string} way
 * @param {CredentialMediationRequirement} [mediation] */
async function answerOf(asked, way, mediation) {
  const named = (/** @type {any[]} */ keys) => (keys ?? []).map((key) => ({ ...key, id: bytes(key.id) }));
  const publicKey = { ...asked, challenge: bytes(asked.challenge) };
  const signal = asking.signal;
  let made;
  if (way === "create") {
    publicKey.user = { ...asked.user, id: bytes(asked.user.id) };
    publicKey.excludeCredentials = named(asked.excludeCredentials);
    made = await navigator.credentials.create({ publicKey, signal });
  } else {
    publicKey.allowCredentials = named(asked.allowCredentials);
    made = await navigator.credentials.get({ publicKey, signal, mediation });
  }
  const { id, type, rawId, response } = /** @type {any} */ (made);
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const said = parts.filter((part) => response[part]).map((part) => [part, base64url(response[part])]);
  return JSON.stringify({ id, type, rawId: base64url(rawId), response: Object.fromEntries(said) });
}

/** @param {HTMLButtonElement} button
 * @param {CredentialMediationRequirement} [mediation] */
async function ask(button, mediation) {
  asking.abort();
  asking = new AbortController();
  const form = /** @type {HTMLFormElement} */ (button.form);
  const asked = await question(button);
  if (!asked) return;
  const answer = await answerOf(asked, button.dataset.passkey ?? "", mediation);
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "passkey";
  field.value = answer;
  form.append(field);
  form.action = button.formAction;
  form.submit();
}

/** Says in the page's words why there is no passkey.
 * @param {unknown} error */
function explain(error) {
  const name = error instanceof DOMException ? error.name : "";
  const faults = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-passkey-fault]"));
  const fitting = [...faults].find((fault) => fault.dataset.passkeyFault === name);
  for (const fault of faults) fault.hidden = fault !== (fitting ?? faults[0]);
}

const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-passkey]"));

for (const button of window.PublicKeyCredential ? buttons : []) {
  button.hidden = false;
  button.addEventListener("click", () => {
    if (button.dataset.passkey === "create" && !button.form?.reportValidity()) return;
    for (const fault of document.querySelectorAll("[data-passkey-fault]")) fault.hidden = true;
    ask(button).catch(explain);
  });
  // Whoever types the password does not wait for a passkey.
  button.form?.addEventListener("submit", () => asking.abort());
}

const offered = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-passkey-offer]"));
if (offered && (await window.PublicKeyCredential?.isConditionalMediationAvailable?.()))
  ask(offered, "conditional").catch(() => {}); // Nobody has asked for it, so nobody is told.
