/** A browser's cookies for one origin. */
export class Browser {
	readonly cookies = new Map<string, string>();

	header(): string {
		return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	}

	take(response: Response): void {
		for (const line of response.headers.getSetCookie()) {
			const [pair = "", ...attributes] = line.split(/;\s*/);
			const name = pair.slice(0, pair.indexOf("="));
			const gone = attributes.some((attribute) => /^max-age=0$/i.test(attribute));
			if (gone) this.cookies.delete(name);
			else this.cookies.set(name, pair.slice(pair.indexOf("=") + 1));
		}
	}

	/** A second browser with the same cookies. */
	copy(): Browser {
		const other = new Browser();
		for (const [name, value] of this.cookies) other.cookies.set(name, value);
		return other;
	}
}
