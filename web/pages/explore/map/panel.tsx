import { useEffect, useRef, useState } from "preact/hooks";
import type { MapOptions, RequestMap } from "./view.ts";

interface MapPanelProps extends Omit<MapOptions, "container" | "failed"> {
	/** Changes when the tiles have to be read again. */
	version: string;
	selected: string | undefined;
	ready(map: RequestMap): void;
}

const retryMs = 5_000;

export function MapPanel({ version, selected, ready, ...options }: MapPanelProps) {
	const place = useRef<HTMLDivElement>(null);
	const map = useRef<RequestMap>(undefined);
	const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
	const latest = useRef(options);
	latest.current = options;
	const [failure, setFailure] = useState<string>();
	const [isLoading, setLoading] = useState(true);
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
	return (
		<div class="map-frame">
			<div ref={place} class="map" />
			{isLoading && <p class="map-note">Loading the map…</p>}
			{failure !== undefined && (
				<p class="map-note failure" role="status">
					{failure}
				</p>
			)}
		</div>
	);
}
