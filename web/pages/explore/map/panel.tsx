import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../../../lib/text/format.ts";
import { HoverCard } from "./hover-card.tsx";
import type { Circle, Hovered, MapOptions, RequestMap } from "./view.ts";

interface MapPanelProps extends Omit<MapOptions, "container" | "failed" | "hovered"> {
	as_of: string | undefined;
	circle: Circle | undefined;
	chooseCircle(circle: Circle | undefined): void;
	/** Changes when the tiles have to be read again. */
	version: string;
	selected: string | undefined;
	ready(map: RequestMap): void;
}

const retryMs = 5_000;

export function MapPanel({ version, selected, as_of, circle, chooseCircle, ready, ...options }: MapPanelProps) {
	const place = useRef<HTMLDivElement>(null);
	const map = useRef<RequestMap>(undefined);
	const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
	const latest = useRef(options);
	latest.current = options;
	const [failure, setFailure] = useState<string>();
	const [isLoading, setLoading] = useState(true);
	const [hovered, setHovered] = useState<Hovered>();
	const [stopDrawing, setStopDrawing] = useState<() => void>();
	const latestCircle = useRef({ circle, chooseCircle });
	latestCircle.current = { circle, chooseCircle };
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
				created.showCircle(latestCircle.current.circle);
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
	useEffect(() => map.current?.showCircle(circle), [JSON.stringify(circle)]);
	const draw = () => {
		const stop = map.current?.drawCircle((drawn) => {
			setStopDrawing(undefined);
			latestCircle.current.chooseCircle(drawn);
		});
		setStopDrawing(() => stop);
	};
	return (
		<div class="map-frame">
			<div ref={place} class="map" />
			{hovered && stopDrawing === undefined && <HoverCard hovered={hovered} as_of={as_of} />}
			{!isLoading && map.current !== undefined && (
				<p class="map-tools">
					{circle !== undefined ? (
						<button type="button" class="plain" onClick={() => chooseCircle(undefined)}>
							Remove the circle of {count(circle.radiusKm)} km
						</button>
					) : stopDrawing === undefined ? (
						<button type="button" class="plain" onClick={draw}>
							Draw a circle
						</button>
					) : (
						<button
							type="button"
							class="plain"
							onClick={() => {
								stopDrawing();
								setStopDrawing(undefined);
							}}
						>
							Press the middle, then the edge. Or cancel
						</button>
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
