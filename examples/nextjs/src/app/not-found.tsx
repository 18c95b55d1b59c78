/** The page of a host or path of nobody. */
export default function NotFound() {
	return (
		<main>
			<h1>Not found</h1>
			<p className="quiet">There is no such page, or no such tenant. Check the address.</p>
		</main>
	);
}
