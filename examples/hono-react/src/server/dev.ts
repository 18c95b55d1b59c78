import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer as createVite } from "vite";
import { app } from "./app.ts";
import { platform } from "./options.ts";

// one port for the API and for Vite, so that hosts are the same as in production
const api = getRequestListener(app.fetch);
const port = Number(platform.port || 3000);
const server = createServer((request, response) =>
	request.url?.startsWith("/api/") ? api(request, response) : vite.middlewares(request, response),
);
// native: the default writes a file, and `node --watch` would restart because of it
const vite = await createVite({ configLoader: "native", server: { middlewareMode: { server } } });

server.listen(port, () => console.log(`Open http://localhost:${port}`));
