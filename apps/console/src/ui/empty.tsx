import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type EmptyProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode };

/** What a list shows if it has nothing: why, and what to do about it. */
export const Empty = ({ icon: Icon, title, children, action }: EmptyProps) => (
	<div className="grid justify-items-center gap-2 px-6 py-10 text-center">
		<div className="mb-1 grid size-11 place-items-center rounded-full bg-sunken text-soft">
			<Icon className="size-5" aria-hidden />
		</div>
		<p className="font-medium">{title}</p>
		{children && <div className="max-w-sm text-sm text-pretty text-soft">{children}</div>}
		{action && <div className="pt-2">{action}</div>}
	</div>
);
