import type { ReactNode } from "react";

type TableProps = { caption: string; head: ReactNode[]; children: ReactNode; className?: string };

/** A table that scrolls by itself where it is wider than the page. */
export const Table = ({ caption, head, children, className = "" }: TableProps) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable with the keyboard
	<section className={`relative overflow-x-auto rounded-b-lg ${className}`} tabIndex={0} aria-label={caption}>
		<table className="w-full border-collapse text-left">
			<caption className="sr-only">{caption}</caption>
			<thead>
				<tr className="border-y border-hair text-xs text-soft">
					{head.map((title, column) => (
						<th
							key={column}
							scope="col"
							className="px-2.5 py-2 font-medium whitespace-nowrap first:pl-5 last:pr-5 sm:px-5"
						>
							{title}
						</th>
					))}
				</tr>
			</thead>
			<tbody className="[&>tr]:border-b [&>tr]:border-hair [&>tr:last-child]:border-b-0 [&>tr:hover]:bg-sunken/50">
				{children}
			</tbody>
		</table>
	</section>
);

export const Cell = ({ children, className = "" }: { children?: ReactNode; className?: string }) => (
	<td className={`px-2.5 py-3 align-middle first:pl-5 last:pr-5 sm:px-5 ${className}`}>{children}</td>
);
