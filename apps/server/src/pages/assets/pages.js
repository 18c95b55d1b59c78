// Improves the sign-in pages where a browser runs scripts. Every page works without it, apart from passkeys.

const drawn = (name, attributes, ...children) => {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	element.append(...children);
	return element;
};

const shows = (input) => {
	const box = document.createElement("div");
	const button = document.createElement("button");
	const eye = drawn("path", { d: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7Z" });
	const line = drawn("path", { d: "M4 20 20 4", class: "line" });
	button.append(
		drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, eye, drawn("circle", { cx: 12, cy: 12, r: 3 }), line),
	);
	button.type = "button";
	button.className = "show";
	button.setAttribute("aria-label", input.dataset.show);
	button.setAttribute("aria-pressed", "false");
	const show = (isShown) => {
		input.type = isShown ? "text" : "password";
		button.setAttribute("aria-pressed", String(isShown));
	};
	button.addEventListener("click", () => show(input.type === "password"));
	// never sent as text, which browsers would offer to others
	input.form.addEventListener("submit", () => show(false));
	const hadFocus = document.activeElement === input;
	box.className = "with-show";
	input.replaceWith(box);
	box.append(input, button);
	if (hadFocus) input.focus();
};

/** A rough guess: length counts most, then how many different characters there are. */
const strengthOf = (password) => {
	const different = new Set(password).size;
	if (password.length < 10 || different < 5) return "weak";
	return password.length < 14 || different < 8 ? "fair" : "strong";
};

const rates = (input) => {
	const meter = document.createElement("p");
	meter.className = "strength";
	meter.setAttribute("role", "status");
	(input.closest(".with-show") ?? input).after(meter);
	input.addEventListener("input", () => {
		const strength = input.value === "" ? "" : strengthOf(input.value);
		meter.dataset.is = strength;
		meter.textContent = strength && input.dataset[strength];
	});
};

const waits = (button) => {
	const label = button.textContent;
	let left = Number(button.dataset.wait);
	const tick = () => {
		button.disabled = left > 0;
		button.textContent = left > 0 ? button.dataset.waitText.replace("{seconds}", left) : label;
		if (left > 0) setTimeout(tick, 1000);
		left -= 1;
	};
	tick();
};

const post = (path, body) =>
	fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const signInWithPasskey = async ({ passkey: api, end, oauth }) => {
	const asked = await fetch(`${api}/passkey/generate-authenticate-options`);
	if (!asked.ok) throw new Error("refused");
	const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await asked.json());
	const credential = await navigator.credentials.get({ publicKey });
	const body = { response: credential.toJSON(), ...(oauth ? { oauth_query: oauth } : {}) };
	const answer = await post(`${api}/passkey/verify-authentication`, body);
	if (!answer.ok) throw new Error("refused");
	const { url } = await answer.json();
	location.assign(oauth && url ? url : end);
};

const addPasskey = async ({ addPasskey: api, added }, button) => {
	const asked = await fetch(`${api}/passkey/generate-register-options`);
	if (!asked.ok) throw new Error("refused");
	const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await asked.json());
	const credential = await navigator.credentials.create({ publicKey });
	const answer = await post(`${api}/passkey/verify-registration`, { response: credential.toJSON() });
	if (!answer.ok) throw new Error("refused");
	const notice = document.createElement("p");
	notice.className = "notice info";
	notice.setAttribute("role", "status");
	button.replaceWith(notice);
	// after it is in the page, so that it is announced
	notice.textContent = added;
};

const usesPasskeys = (act) => (button) => {
	const error = document.getElementById("passkey-error");
	const say = (text) => {
		error.textContent = text;
		error.hidden = text === "";
	};
	if (!globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) return say(button.dataset.unsupported ?? "");
	button.hidden = false;
	button.addEventListener("click", async () => {
		say("");
		button.disabled = true;
		try {
			await act(button.dataset, button);
		} catch {
			say(button.dataset.failed);
		}
		button.disabled = false;
	});
};

/** A second click would send the form again. */
const sendsOnce = (form) =>
	form.addEventListener("submit", (event) => {
		if (form.dataset.sent) return event.preventDefault();
		form.dataset.sent = "yes";
		form.setAttribute("aria-busy", "true");
	});

const each = (selector, improve) => {
	for (const element of document.querySelectorAll(selector)) improve(element);
};

each("input[data-show]", shows);
each("input[data-strong]", rates);
each("button[data-wait]", waits);
each("button[data-passkey]", usesPasskeys(signInWithPasskey));
each("button[data-add-passkey]", usesPasskeys(addPasskey));
each("form", sendsOnce);
// the back button shows the page as it was left
addEventListener("pageshow", () =>
	each("form", (form) => {
		delete form.dataset.sent;
		form.removeAttribute("aria-busy");
	}),
);
