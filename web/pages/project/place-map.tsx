import { useEffect, useRef, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { Lazy } from "../../lib/elements/lazy.tsx";
import { safeText } from "../../lib/text/format.ts";
import type { RequestMap } from "../explore/map/view.ts";

type Project = Reply<"getProject">;

const zooms = { poi: 8.5, county: 7, state: 5 };

/**
 * Shows the request's location in the country and, on demand, on a map of its surroundings, whose code is large and slow without a graphics card.
 */
export function PlaceMap({ project, as_of }: { project: Project; as_of: string | undefined }) {
	const [isEnlarged, setEnlarged] = useState(false);
	const { lat, lon, location_precision: precision } = project;
	const isPlaced = lat !== null && lon !== null && precision !== null;
	return (
		<figure class="place">
			<div class="map-frame">
				{isPlaced && !isEnlarged && (
					<>
						<Lazy
							name="map"
							load={async () => (await import("../../lib/charts/places-map.tsx")).Locator}
							props={{ lat, lon, label: "Where it is in the United States" }}
						/>
						<button type="button" class="plain" onClick={() => setEnlarged(true)}>
							Show what is around it
						</button>
					</>
				)}
				{isPlaced && isEnlarged && <NearMap {...{ id: project.id, lat, lon, precision, as_of }} />}
			</div>
			<figcaption class="soft">
				{precisionOf(project)}
				{isEnlarged && isPlaced && " The ring marks it."}
			</figcaption>
		</figure>
	);
}

interface NearProps {
	id: string;
	lat: number;
	lon: number;
	precision: keyof typeof zooms;
	as_of: string | undefined;
}

function NearMap({ id, lat, lon, precision, as_of }: NearProps) {
	const place = useRef<HTMLDivElement>(null);
	const [note, setNote] = useState<string | undefined>("Loading the map…");
	useEffect(() => {
		const container = place.current;
		if (container === null) return;
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
		load().catch(() => setNote("The map cannot be shown here: it needs WebGL."));
		return () => {
			isGone = true;
			map?.remove();
		};
	}, [id]);
	return (
		<>
			<div ref={place} class="map" />
			{note !== undefined && <p class="map-note">{note}</p>}
		</>
	);
}

function precisionOf({ location_precision, county, state }: Project): string {
	switch (location_precision) {
		case "poi":
			return "At its point of interconnection.";
		case "county":
			return `Only the county (${safeText(county ?? "unknown", 60)}) is known, not the exact place.`;
		case "state":
			return `Only the state is known: ${safeText(state ?? "", 40)}.`;
		default:
			return "Its location is not known.";
	}
}

function tilesOf(as_of: string | undefined): string {
	const query = new URLSearchParams({
		...{ include_unlisted: "true", population: "all" },
		...(as_of !== undefined && { as_of }),
	});
	return `${location.origin}/web/data/tiles/{z}/{x}/{y}.mvt?${query}`;
}
