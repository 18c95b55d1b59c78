import "./styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./app/query-client.ts";
import { router } from "./app/router.ts";
import { applyTheme } from "./app/theme.ts";
import { Toasts } from "./ui/toasts.tsx";

applyTheme();
const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");
createRoot(root).render(
	<StrictMode>
		<QueryClientProvider client={queryClient}>
			<RouterProvider router={router} />
			<Toasts />
		</QueryClientProvider>
	</StrictMode>,
);
