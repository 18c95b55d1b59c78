/**
 * Frameworks whose types are not installed here, because they are larger than everything else together. `pnpm new-team` builds
 * each page with its framework. Where strict code depends on a type, it is written down.
 */
export const FRAMEWORKS = `declare module "@sveltejs/adapter-node";
declare module "@sveltejs/kit";
declare module "@sveltejs/kit/vite";
declare module "@tanstack/react-router";
declare module "@tanstack/react-start";
declare module "@tanstack/react-start/plugin/vite";
declare module "@tanstack/react-start/server";
declare module "@vitejs/plugin-react";
declare module "vite";
declare module "wrangler";
declare module "*/routeTree.gen";
declare module "next/headers" {
	export const headers: () => Promise<Headers>;
}
declare module "next/navigation" {
	export function redirect(path: string): never;
	export function notFound(): never;
}
declare module "next/server" {
	export class NextRequest extends Request {}
	export class NextResponse extends Response {
		static next(): NextResponse;
		static redirect(url: URL): NextResponse;
		static rewrite(url: URL): NextResponse;
	}
}
// Nuxt imports these by itself
declare const createError: (error: { statusCode: number; message?: string }) => Error;
declare const defineEventHandler: (handle: (event: any) => unknown) => unknown;
declare const defineNuxtConfig: (config: object) => object;
declare const toWebRequest: (event: any) => Request;
`;
