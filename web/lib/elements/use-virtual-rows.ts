/** Renders only the visible rows of a table. TanStack Virtual has no adapter for Preact. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

export interface VirtualRows {
	place: RefObject<HTMLElement | null>;
	items: { index: number }[];
	/** Total height of the rows above the rendered ones, and of the rows below them (CSS pixels). */
	above: number;
	below: number;
}

interface VirtualOptions {
	count: number;
	height: number;
	overscan: number;
	key?: string;
}

export function useVirtualRows({ count, height, overscan, key }: VirtualOptions): VirtualRows {
	const place = useRef<HTMLElement>(null);
	const [, redraw] = useReducer((times: number) => times + 1, 0);
	const options = {
		count,
		getScrollElement: () => place.current,
		estimateSize: () => height,
		overscan,
		scrollToFn: elementScroll,
		observeElementRect,
		observeElementOffset,
		onChange: () => redraw(0),
	};
	const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
	virtualizer.setOptions(options);
	useLayoutEffect(() => virtualizer._didMount(), []);
	useLayoutEffect(() => virtualizer._willUpdate());
	useEffect(() => virtualizer.scrollToOffset(0), [key]);
	const items = virtualizer.getVirtualItems();
	const above = items[0]?.start ?? 0;
	return { place, items, above, below: Math.max(0, virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)) };
}
