import { fromNodeHeaders } from "better-auth/node";
import { createTenantHandler } from "better-auth-tenants";
import type { Request as Incoming, Response as Outgoing } from "express";
import { auth } from "./auth.ts";
import { platform } from "./options.ts";

export const handler = createTenantHandler(auth);

/** Calls Better Auth as a script of the page would: with its origin and cookies, so origin checks and rate limits apply. */
export const callAuth = (incoming: Incoming, path: string, body: object): Promise<Response> => {
	const headers = fromNodeHeaders(incoming.headers);
	headers.set("content-type", "application/json");
	headers.delete("content-length");
	const url = new URL(`/api/auth${path}`, platform);
	return handler(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
};

/** Goes on to another page, with the cookies of Better Auth's response. */
export const goOn = (outgoing: Outgoing, answer: Response, location: string): void => {
	for (const cookie of answer.headers.getSetCookie()) outgoing.append("set-cookie", cookie);
	outgoing.redirect(303, location);
};
