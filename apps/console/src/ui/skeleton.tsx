/** A line that stands for a text until it is loaded. */
export const Skeleton = ({ className = "h-4 w-full" }: { className?: string }) => (
	<span aria-hidden className={`block animate-pulse rounded-md bg-sunken ${className}`} />
);

const WIDTHS = ["w-2/5", "w-3/5", "w-1/2", "w-1/3"] as const;

/** Rows that stand for a list until it is loaded. Screen readers hear that it loads. */
export const SkeletonRows = ({ rows = 6 }: { rows?: number }) => (
	<div role="status">
		<span className="sr-only">Loading</span>
		{Array.from({ length: rows }, (_, row) => (
			<div key={row} className="flex items-center gap-4 border-t border-hair px-5 py-3.5 first:border-t-0">
				<Skeleton className="size-8 shrink-0 rounded-full" />
				<Skeleton className={`h-4 ${WIDTHS[row % WIDTHS.length]}`} />
			</div>
		))}
	</div>
);
