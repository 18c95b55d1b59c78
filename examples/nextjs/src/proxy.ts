import { type NextRequest, NextResponse } from "next/server";
import { platform, slugOf } from "./hosts.ts";

export const config = { matcher: "/((?!api/|_next/|.*\\..*).*)" };

/** Serves `acme.localhost/…` from `app/tenant/acme/…`. These pages are not reachable in any other way. */
export const proxy = (request: NextRequest): NextResponse => {
	const host = request.headers.get("host") ?? "";
	const url = request.nextUrl.clone();
	const slug = slugOf(host);
	if (slug) {
		url.pathname = `/tenant/${slug}${url.pathname}`;
		return NextResponse.rewrite(url);
	}
	if (host === platform.host && !url.pathname.startsWith("/tenant")) return NextResponse.next();
	return new NextResponse("Not found", { status: 404 });
};
