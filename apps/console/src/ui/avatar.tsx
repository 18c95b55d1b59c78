/** The initials of a name. No picture is loaded from elsewhere. */
export const Avatar = ({ name, isSquare = false }: { name: string; isSquare?: boolean }) => {
	const initials = name
		.split(/[\s.@_-]+/)
		.filter(Boolean)
		.slice(0, 2)
		.map(([first]) => first?.toUpperCase())
		.join("");
	return (
		<span
			aria-hidden
			// drawn, not written: it is part of no name
			data-initials={initials || "?"}
			className={`grid before:content-[attr(data-initials)] size-8 shrink-0 place-items-center bg-accent-soft text-xs font-semibold text-accent-ink ${isSquare ? "rounded-md" : "rounded-full"}`}
		/>
	);
};
