import type { SocialProvider } from "@better-auth/core/social-providers";
import * as z from "zod";

/** A provider id in a body. Editors suggest the names of the built-in providers; any other text is allowed, too. */
export const providerIdInput = (description: string): z.ZodType<SocialProvider, SocialProvider> =>
	z.string().min(1).meta({ description });
