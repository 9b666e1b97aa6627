/** A result on a map of the United States: points by their coordinates, or states or counties by a number. */
import { placesOf } from "./places.ts";
import type { Result } from "./run.ts";
import { useLoaded } from "./use-loaded.ts";

/** The map and its boundaries are loaded when they are first needed. */
export function ResultMap({ result }: { result: Result }) {
	const { part, failed } = useLoaded(() => import("./map.tsx"));
	const places = placesOf(result.columns);
	if (places === undefined)
		return (
			<p>
				A map needs the columns <code>lat</code> and <code>lon</code>, or a number by <code>fips</code> or{" "}
				<code>state</code>.
			</p>
		);
	if (failed) return <p class="failure">The map could not be loaded: open the page again.</p>;
	if (part === undefined) return <p>Loading the map.</p>;
	return <part.MapOf result={result} places={places} />;
}
