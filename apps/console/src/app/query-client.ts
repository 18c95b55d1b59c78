import { QueryClient } from "@tanstack/react-query";
import { Problem } from "../api/problem.ts";

export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			staleTime: 5_000,
			// a refusal stays a refusal
			retry: (count, error) => count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500),
			refetchOnWindowFocus: true,
		},
	},
});
