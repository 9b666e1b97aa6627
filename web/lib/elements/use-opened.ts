/** Manages the focus of a panel that a button opens: the panel is focused, Escape closes it, and the focus returns to the button. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Returns the ref for the panel (`place`), which needs `tabIndex={-1}`, and a function that closes the panel (`end`). */
export function useOpened<T extends HTMLElement>(close: () => void): { place: RefObject<T | null>; end: () => void } {
	const place = useRef<T>(null);
	const opener = useRef<Element | null>(null);
	const latest = useRef(close);
	latest.current = close;
	const end = useRef(() => {
		latest.current();
		if (opener.current instanceof HTMLElement) opener.current.focus();
	}).current;
	useLayoutEffect(() => {
		opener.current = document.activeElement;
		place.current?.focus();
		const handleKey = ({ key }: KeyboardEvent) => {
			if (key === "Escape") end();
		};
		document.addEventListener("keydown", handleKey);
		return () => document.removeEventListener("keydown", handleKey);
	}, []);
	return { place, end };
}
