import type { EngineCall, engine } from "../http/engine.ts";
import type { SignInNotes } from "../measure/note-sign-in.ts";
import type { AppContext } from "../request/environment.ts";
import type { EngineAnswer } from "./visit.ts";

type CallWith = {
	c: AppContext;
	ask: ReturnType<typeof engine>["ask"];
	noteSignIn: SignInNotes;
	/** gets the cookies that Better Auth sets */
	setCookies: string[];
};

/** Calls Better Auth for the visitor of a page, and reads the response. */
export const callEngine =
	({ c, ask, noteSignIn, setCookies }: CallWith) =>
	async (call: EngineCall): Promise<EngineAnswer> => {
		const response = await ask(c, call);
		setCookies.push(...response.headers.getSetCookie());
		await noteSignIn(c, call.path, response);
		const text = await response.text();
		const json = parse(text);
		return {
			ok: response.status < 400,
			status: response.status,
			json,
			code: textOf(json.code) ?? textOf(json.error),
			url: response.headers.get("location") ?? textOf(json.url) ?? textOf(json.redirect_uri),
		};
	};

const parse = (text: string): Record<string, unknown> => {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? { ...value } : {};
	} catch {
		return {};
	}
};

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
