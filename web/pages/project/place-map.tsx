import { useEffect, useRef, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { safeText } from "../../lib/text/format.ts";
import type { RequestMap } from "../explore/map/view.ts";

type Project = Reply<"getProject">;

const zooms = { poi: 8.5, county: 7, state: 5 };

/** The request, marked among those around it. The map library is loaded when the map comes into view. */
export function PlaceMap({ project, as_of }: { project: Project; as_of: string | undefined }) {
	const place = useRef<HTMLDivElement>(null);
	const [note, setNote] = useState<string | undefined>("Loading the map…");
	const { id, lat, lon, location_precision: precision } = project;
	const isPlaced = lat !== null && lon !== null && precision !== null;
	useEffect(() => {
		const container = place.current;
		if (container === null || !isPlaced) return;
		let map: RequestMap | undefined;
		let isGone = false;
		const load = async () => {
			const { createMap } = await import("../explore/map/view.ts");
			if (isGone) return;
			map = createMap({
				container,
				tiles: tilesOf(as_of),
				colour: "status",
				camera: { lat, lon, zoom: zooms[precision] },
				isEmbedded: true,
				moved() {},
				picked(picked) {
					if (picked?.kind === "request" && picked.id !== id)
						location.assign(`/projects/${encodeURIComponent(picked.id)}`);
				},
				failed: () => setNote("A part of the map could not be read."),
			});
			map.select(id);
			setNote(undefined);
		};
		const observer = new IntersectionObserver(([entry]) => {
			if (!entry?.isIntersecting) return;
			observer.disconnect();
			load().catch(() => setNote("The map cannot be shown here: it needs WebGL."));
		});
		observer.observe(container);
		return () => {
			isGone = true;
			observer.disconnect();
			map?.remove();
		};
	}, [id]);
	return (
		<figure class="place">
			<div class="map-frame">
				{isPlaced && <div ref={place} class="map" />}
				{isPlaced && note !== undefined && <p class="map-note">{note}</p>}
			</div>
			<figcaption class="soft">{precisionOf(project)}</figcaption>
		</figure>
	);
}

function precisionOf({ location_precision, county, state }: Project): string {
	switch (location_precision) {
		case "poi":
			return "The ring marks its point of interconnection.";
		case "county":
			return `The ring is somewhere in ${safeText(county ?? "its county", 60)}: only the county is known.`;
		case "state":
			return `Only the state is known: ${safeText(state ?? "", 40)}.`;
		default:
			return "Where it is to be built is not known.";
	}
}

function tilesOf(as_of: string | undefined): string {
	const query = new URLSearchParams({
		...{ include_unlisted: "true", population: "all" },
		...(as_of !== undefined && { as_of }),
	});
	return `${location.origin}/web/data/tiles/{z}/{x}/{y}.mvt?${query}`;
}
