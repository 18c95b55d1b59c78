import type { AuthContext } from "@better-auth/core";
import { beginRequest } from "../hashing/bounded-hashing.ts";
import { servicesOf } from "../services.ts";
import { guardContentType } from "./content-type.ts";

/** The plugin's first look at an HTTP request, before anything of it is read. */
export const onRequest = async (
	request: Request,
	context: AuthContext,
): Promise<{ response: Response } | undefined> => {
	beginRequest(context);
	return guardContentType(request) ?? (await servicesOf({ context }).shedEarly(request, context));
};
