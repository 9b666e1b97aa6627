import { useEffect, useState } from "preact/hooks";

/** The width of an element (px), and again when it changes; 0 before it is known. */
export function useWidth(ref: { current: Element | null }): number {
	const [width, setWidth] = useState(0);
	useEffect(() => {
		const { current } = ref;
		if (current === null) return;
		const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
		watch.observe(current);
		return () => watch.disconnect();
	}, []);
	return width;
}
