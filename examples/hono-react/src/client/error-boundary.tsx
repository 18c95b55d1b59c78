import { DetailedError } from "hono/client";
import { Component, type ReactNode } from "react";

/** Shows why the page has no content, such as on a host of no tenant. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
	override state: { error: Error | null } = { error: null };

	static getDerivedStateFromError(error: Error) {
		return { error };
	}

	override render() {
		const { error } = this.state;
		if (!error) return this.props.children;
		return (
			<main>
				<h1>Not found</h1>
				<p className="wrong" role="alert">
					{messageOf(error)}
				</p>
			</main>
		);
	}
}

/** The server's message, if it sent one. */
const messageOf = (error: Error): string =>
	error instanceof DetailedError ? (error.detail?.data?.message ?? error.message) : error.message;
