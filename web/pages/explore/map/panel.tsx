import { useEffect, useRef, useState } from "preact/hooks";
import { useOperation } from "../../../lib/api/use-read.tsx";
import { count, power, safeText } from "../../../lib/text/format.ts";
import type { Hovered, Limits, MapOptions, RequestMap } from "./view.ts";

interface MapPanelProps extends Omit<MapOptions, "container" | "failed" | "hovered"> {
	as_of: string | undefined;
	limits: Limits;
	/** Sets the given limits, and removes those that are given as undefined. */
	choose(limits: Limits): void;
	/** A value that changes when the tiles must be reloaded. */
	version: string;
	selected: string | undefined;
	ready(map: RequestMap): void;
}

const retryMs = 5_000;

export function MapPanel({ version, selected, as_of, limits, choose, ready, ...options }: MapPanelProps) {
	const place = useRef<HTMLDivElement>(null);
	const map = useRef<RequestMap>(undefined);
	const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
	const latest = useRef(options);
	latest.current = options;
	const [failure, setFailure] = useState<string>();
	const [isLoading, setLoading] = useState(true);
	const [hovered, setHovered] = useState<Hovered>();
	const [drawing, setDrawing] = useState<{ stop(): void; start: "drawCircle" | "drawArea" }>();
	const latestLimits = useRef({ limits, choose });
	latestLimits.current = { limits, choose };
	const { tiles, colour } = options;
	useEffect(() => {
		let isGone = false;
		void import("./view.ts")
			.then(({ createMap }) => {
				const container = place.current;
				if (isGone || container === null) return;
				const created = createMap({
					...latest.current,
					container,
					moved: (...moved) => latest.current.moved(...moved),
					picked: (picked) => latest.current.picked(picked),
					hovered: setHovered,
					failed(isFinal) {
						setFailure("A part of the map could not be read. The table below has all.");
						if (isFinal || retry.current !== undefined) return;
						retry.current = setTimeout(() => {
							retry.current = undefined;
							setFailure(undefined);
							map.current?.setTiles(latest.current.tiles);
						}, retryMs);
					},
				});
				map.current = created;
				created.showLimits(latestLimits.current.limits);
				setLoading(false);
				ready(created);
			})
			.catch(() => {
				setLoading(false);
				setFailure("The map cannot be shown here (it needs WebGL). The table below has all that it would show.");
			});
		return () => {
			isGone = true;
			clearTimeout(retry.current);
			map.current?.remove();
		};
	}, []);
	useEffect(() => {
		setFailure(undefined);
		map.current?.setTiles(tiles);
	}, [tiles, version]);
	useEffect(() => map.current?.setColour(colour), [colour]);
	useEffect(() => map.current?.select(selected), [selected]);
	useEffect(() => map.current?.showLimits(limits), [JSON.stringify(limits)]);
	const draw = (start: "drawCircle" | "drawArea") => {
		const stop = map.current?.[start]((drawn) => {
			setDrawing(undefined);
			latestLimits.current.choose(drawn);
		});
		setDrawing(stop && { stop, start });
	};
	const { circle, corners } = limits;
	return (
		<div class="map-frame">
			<div ref={place} class="map" />
			{hovered && drawing === undefined && <HoverCard hovered={hovered} as_of={as_of} />}
			{!isLoading && map.current !== undefined && (
				<p class="map-tools">
					{drawing !== undefined ? (
						<button
							type="button"
							class="plain"
							onClick={() => {
								drawing.stop();
								setDrawing(undefined);
							}}
						>
							{drawing.start === "drawCircle"
								? "Click the center, then the edge (or cancel)"
								: "Click each corner, then the first one again (or cancel)"}
						</button>
					) : (
						<>
							{circle !== undefined ? (
								<button type="button" class="plain" onClick={() => choose({ circle: undefined })}>
									Remove the circle of {count(circle.radiusKm)} km
								</button>
							) : (
								<button type="button" class="plain" onClick={() => draw("drawCircle")}>
									Draw a circle
								</button>
							)}
							{corners !== undefined ? (
								<button type="button" class="plain" onClick={() => choose({ corners: undefined })}>
									Remove the area
								</button>
							) : (
								<button type="button" class="plain" onClick={() => draw("drawArea")}>
									Draw an area
								</button>
							)}
						</>
					)}
				</p>
			)}
			{isLoading && <p class="map-note">Loading the map…</p>}
			{failure !== undefined && (
				<p class="map-note failure" role="status">
					{failure}
				</p>
			)}
		</div>
	);
}

/** How long the pointer must rest on a request before its name is read (ms). */
const restMs = 150;
/** CSS pixels. */
const cardWidth = 260;

/** A summary of a request next to the pointer. Readers without a pointer find the same information in the table. */
function HoverCard({ hovered, as_of }: { hovered: Hovered; as_of: string | undefined }) {
	const { id, technology, status, capacityMw, x, y } = hovered;
	const [rested, setRested] = useState<string>();
	useEffect(() => {
		const timer = setTimeout(() => setRested(id), restMs);
		return () => clearTimeout(timer);
	}, [id]);
	const path = rested === id ? "/projects" : undefined;
	const query = { id, as_of, include_unlisted: "true", per_page: 1, fields: "id,name,region,queue_id" };
	const { data } = useOperation("listProjects", path, query);
	const [row] = data?.data ?? [];
	const found = row?.id === id ? row : undefined;
	return (
		<div
			class="hover-card"
			role="presentation"
			style={{
				width: `${cardWidth}px`,
				left: `${x > cardWidth + 20 ? x - cardWidth - 12 : x + 12}px`,
				top: `${y + 12}px`,
			}}
		>
			<b>{safeText(found?.name ?? found?.queue_id ?? id, 60)}</b>
			<br />
			{[found?.region, capacityMw === undefined ? "MW not filed" : power(capacityMw), status]
				.filter((part) => part !== undefined)
				.join(" · ")}
			<br />
			<span class="soft">{safeText(technology, 40)}</span>
		</div>
	);
}
