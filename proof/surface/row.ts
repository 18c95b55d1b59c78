import type { EndpointKind } from "better-auth-tenants/src/endpoints/endpoint.ts";
import type { Browser } from "test-kit/browser";
import type { Method } from "./engine.ts";
import type { Side } from "./side.ts";

/** The user named by address or username: the one all tenants share, or one that only this tenant has. */
type Named = Side["person"];
export type Input = {
	body?: object | string;
	/** instead of JSON */
	form?: Record<string, string>;
	query?: Record<string, string>;
	params?: Record<string, string>;
};
export type MakeInput = (side: Side, named: Named, method?: Method) => Input;

/** One endpoint: its expected kind, and a plausible request. */
export type Row = {
	kind: EndpointKind;
	input: MakeInput;
	/** whose browser calls it, if not the admin's */
	caller?: (side: Side) => Browser;
	/** the credential it uses instead of a session */
	headers?: (side: Side) => Record<string, string>;
	/** a random value in the request identifies the tenant if nothing else does */
	carriesCredential?: boolean;
	/** tells anyone the name of the tenant that the request names */
	publishesName?: boolean;
	/** ends the sessions of the browser in all tenants, so it gets no browser with several */
	endsDevice?: boolean;
	/** the status of Better Auth alone where it should blame the caller or a missing service */
	fails?: number;
};

const nothing: MakeInput = () => ({ body: {} });
export const body =
	(make: (side: Side, named: Named) => object): MakeInput =>
	(side, named) => ({ body: make(side, named) });
export const form =
	(make: (side: Side) => Record<string, string>): MakeInput =>
	(side) => ({ form: make(side) });
export const query =
	(make: (side: Side, named: Named) => Record<string, string>): MakeInput =>
	(side, named) => ({ query: make(side, named) });

export const member = (input: MakeInput = nothing): Row => ({ kind: "member", input });
export const entry = (input: MakeInput = nothing): Row => ({ kind: "entry", input });
export const open = (input: MakeInput = nothing): Row => ({ kind: "open", input });
export const link = (input: MakeInput): Row => ({ kind: "link", input });
export const callback = (input: MakeInput): Row => ({ kind: "callback", input });
export const platform = (input: MakeInput): Row => ({ kind: "platform", input });
/** The path names the tenant. */
export const addressed = (input: MakeInput): Row => ({
	kind: "addressed",
	input: (side, named, method) => {
		const made = input(side, named, method);
		return { ...made, params: { ...made.params, tenantId: side.tenantId } };
	},
});
export const management = (input: MakeInput = nothing): Row => ({ kind: "management", input });
/** An endpoint for programs, whose credential identifies the tenant. */
export const machine = (input: MakeInput, headers?: Row["headers"]): Row => ({
	...open(input),
	carriesCredential: true,
	...(headers ? { headers } : {}),
});
