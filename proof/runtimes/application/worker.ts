import type { BetterAuthOptions } from "better-auth";
import { createApp } from "./app.ts";

type Bindings = {
	DB: NonNullable<BetterAuthOptions["database"]>;
	ORIGIN: string;
	SECRET: string;
	MANAGEMENT_KEY: string;
};

let app: ReturnType<typeof createApp> | undefined;

const worker = {
	fetch: (request: Request, { DB, ORIGIN, SECRET, MANAGEMENT_KEY }: Bindings): Promise<Response> => {
		// bindings are there with the first request
		app ??= createApp(DB, { origin: ORIGIN, secret: SECRET, managementKey: MANAGEMENT_KEY, hasTransactions: false });
		return app(request);
	},
};

// biome-ignore lint/style/noDefaultExport: the runtime expects it
export { worker as default };
