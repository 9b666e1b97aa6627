/** What a button opens: the keyboard goes into it, Escape closes it, and the keyboard is back at the button. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Has the focus when it is drawn; to be given to what is opened, with `tabIndex={-1}`. `close`: for the key Escape and a button. */
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
