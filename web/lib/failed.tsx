/** What is said while a read fails; the page goes on by itself. */
export function Failed({ failure }: { failure: string | undefined }) {
	if (failure === undefined) return null;
	return (
		<p class="failure" role="status">
			{failure} Trying again.
		</p>
	);
}
