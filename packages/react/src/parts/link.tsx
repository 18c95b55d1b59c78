import type { ReactNode } from "react";
import { isWebAddress } from "../return-to.ts";

/** A link to a page of the application. Nothing without an address, or if it would run a script. */
export const Link = ({ href, part, children }: { href: string | undefined; part: string; children: ReactNode }) =>
	href !== undefined && isWebAddress(href) ? (
		<a href={href} data-part={part}>
			{children}
		</a>
	) : null;

/** A question and the link that goes with it, such as "New here? Create an account". */
export const Aside = ({ text, href, children }: { text: string; href: string | undefined; children: ReactNode }) =>
	href === undefined ? null : (
		<p data-part="aside">
			{text}{" "}
			<Link href={href} part="aside-link">
				{children}
			</Link>
		</p>
	);
