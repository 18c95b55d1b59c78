import { useRouteContext } from "@tanstack/react-router";
import type { Console } from "../api/console.ts";

/** Who is signed in, and what the service has turned on. */
export const useViewer = (): Console => useRouteContext({ from: "/signed-in" }).viewer;
