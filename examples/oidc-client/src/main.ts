import { serve } from "@hono/node-server";
import { app } from "./app.ts";
import { appUrl } from "./settings.ts";

const port = Number(appUrl.port || 4000);

serve({ fetch: app.fetch, port }, () => console.log(`Open ${appUrl.origin}`));
