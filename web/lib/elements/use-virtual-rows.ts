/** Rows of a table of which only those in sight are drawn. What the adapters of TanStack Virtual do, of which there is none for Preact. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

export interface VirtualRows {
	/** To be given to what scrolls. */
	place: RefObject<HTMLElement | null>;
	items: { index: number }[];
	/** Height (px) of the rows that are not drawn, before and after. */
	above: number;
	below: number;
}

interface VirtualOptions {
	count: number;
	/** Of a row (px). */
	height: number;
	/** Rows that are drawn beyond those in sight. */
	overscan: number;
	/** When it changes, the first row is in sight again. */
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
