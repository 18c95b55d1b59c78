import { serve } from "@hono/node-server";
import { app } from "./app.ts";
import { platform } from "./options.ts";

const port = Number(platform.port || 3000);

serve({ fetch: app.fetch, port }, () => console.log(`Open http://localhost:${port}`));
