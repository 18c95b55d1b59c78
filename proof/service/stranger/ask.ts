/** A request from one address, as a proxy in front of the service passes it on. */
export type Ask = { path: string; tenant?: string; body?: object; address: string };

export type Answer = { status: number; code: string };

const PATIENCE_MS = 15_000;

/** Sends requests to the service. Status 0: no response in time. */
export const createAsk =
	(origin: string) =>
	async ({ path, tenant, body, address }: Ask): Promise<Answer> => {
		const headers: Record<string, string> = { origin, "x-forwarded-for": address };
		if (tenant) headers["x-tenant-id"] = tenant;
		if (body) headers["content-type"] = "application/json";
		try {
			const response = await fetch(`${origin}/api/auth${path}`, {
				method: body ? "POST" : "GET",
				headers,
				redirect: "manual",
				signal: AbortSignal.timeout(PATIENCE_MS),
				...(body ? { body: JSON.stringify(body) } : {}),
			});
			const text = await response.text();
			return { status: response.status, code: /"code":"(\w+)"/.exec(text)?.[1] ?? "" };
		} catch {
			return { status: 0, code: "" };
		}
	};
