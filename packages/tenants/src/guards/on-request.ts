import type { AuthContext } from "@better-auth/core";
import { beginRequest } from "../hashing/bounded-hashing.ts";
import { partsOf } from "../services.ts";
import { refuseUnreadableForm } from "./content-type.ts";

/** The plugin's first look at an HTTP request, before anything of it is read. */
export const lookAtRequest = async (
	request: Request,
	context: AuthContext,
): Promise<{ response: Response } | undefined> => {
	beginRequest(context);
	return refuseUnreadableForm(request) ?? (await partsOf({ context }).shedEarly(request, context));
};
