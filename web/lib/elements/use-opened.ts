/** Focus of a panel that a button opens: the panel takes the focus, Escape closes it, and the button gets the focus back. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** `place` is the ref of the panel, which needs `tabIndex={-1}`; `end` closes it. */
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
		const pressed = ({ key }: KeyboardEvent) => {
			if (key === "Escape") end();
		};
		document.addEventListener("keydown", pressed);
		return () => document.removeEventListener("keydown", pressed);
	}, []);
	return { place, end };
}
