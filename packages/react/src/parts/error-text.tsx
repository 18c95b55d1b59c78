/** A place for an error. It is always there, so that screen readers watch it and the layout can reserve its line. */
export const ErrorText = ({ text, id, part = "error" }: { text: string; id?: string; part?: string }) => (
	<p id={id} role="alert" data-part={part}>
		{text}
	</p>
);
