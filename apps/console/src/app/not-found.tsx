import { Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";

export const NotFound = () => (
	<div className="mx-auto grid w-full max-w-2xl justify-items-start gap-3 p-6 in-[main]:mx-0 in-[main]:p-0">
		<h1 className="text-2xl">Nothing is here</h1>
		<p className="text-soft">The page does not exist, or it belongs to a tenant that you cannot see.</p>
		<Link to="/" className={buttonClass()}>
			Go to the start
		</Link>
	</div>
);
