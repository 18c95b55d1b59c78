/** What a redirect of the server says in the address of the page. */
export type AddressHints = { secondFactor: "verify" | "enroll" | null; error: string | null };

const NAMES = ["second_factor", "error", "error_description", "state"];

/** Reads what a redirect left in the address, and removes it: it is about this page load and this tenant. */
export const takeAddressHints = (): AddressHints | null => {
	const url = new URL(location.href);
	const secondFactor = url.searchParams.get("second_factor");
	const error = url.searchParams.get("error");
	if (secondFactor === null && error === null) return null;
	for (const name of NAMES) url.searchParams.delete(name);
	history.replaceState(history.state, "", url);
	return { secondFactor: secondFactor === "verify" || secondFactor === "enroll" ? secondFactor : null, error };
};
