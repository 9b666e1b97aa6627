/** The width of an element (CSS pixels), which a chart takes so that its text is as large as the page's. 0 until it is measured. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export function useWidth() {
	const ref = useRef<HTMLDivElement>(null);
	const [width, setWidth] = useState(0);
	useLayoutEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const measure = () => setWidth(Math.floor(element.clientWidth));
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return { ref, width };
}
