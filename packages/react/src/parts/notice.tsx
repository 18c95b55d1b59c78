import { type ReactNode, useEffect, useRef } from "react";

/** A message in place of a form. It gets the focus that the form had. */
export const Notice = ({ children }: { children: ReactNode }) => {
	const element = useRef<HTMLParagraphElement>(null);
	useEffect(() => element.current?.focus(), []);
	return (
		<p ref={element} tabIndex={-1} role="status" data-part="notice">
			{children}
		</p>
	);
};
