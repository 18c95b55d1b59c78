import type { AuthContext } from "@better-auth/core";
import { beginRequest } from "../hashing/bounded-hashing.ts";
import { recordOutages } from "../scope/outage.ts";
import { servicesOf } from "../services.ts";
import { guardContentType } from "./content-type.ts";
import { guardHost } from "./host.ts";

/** Runs first on every HTTP request, before the body is parsed. */
export const onRequest = async (
	request: Request,
	context: AuthContext,
): Promise<{ response: Response } | undefined> => {
	beginRequest(context);
	recordOutages(context);
	return (
		guardContentType(request) ??
		(await guardHost(request, context)) ??
		(await servicesOf({ context }).shedEarly(request, context))
	);
};
