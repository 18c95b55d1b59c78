import { BetterAuthError } from "@better-auth/core/error";
import { normalizeHost } from "./host-name.ts";

/** Normalizes hosts of the configuration. Throws if one is not a host. */
export const readHosts = (option: string, hosts: readonly string[]): string[] =>
	hosts.map((host) => {
		const normalized = normalizeHost(host);
		if (normalized === null)
			throw new BetterAuthError(
				`${option} ${JSON.stringify(host)} is not a host name. Use one such as "app.example.com", in ASCII, without a scheme or path.`,
			);
		return normalized;
	});
