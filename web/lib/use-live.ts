/** Server-sent events of the service, while the page is looked at. */
import { useEffect, useState } from "preact/hooks";
import { addressOf, type Query } from "./api.ts";

const retryMs = 30_000;
/** Events come in bursts; what they lead to is done once for each. */
const burstMs = 500;

/** Calls `onEvent` after events of that name, and where some may have been missed; says whether the stream is open: while it is not, readers have to ask. `false`: no stream. */
export function useLive(path: string | false, query: Query, event: string, onEvent: () => void): boolean {
	const [isOpen, setIsOpen] = useState(false);
	const address = path && addressOf(path, query);
	useEffect(() => {
		if (address === false) return;
		let source: EventSource | undefined;
		let burst: ReturnType<typeof setTimeout> | undefined;
		let retry: ReturnType<typeof setTimeout> | undefined;
		let wasLost = false;
		const close = () => {
			source?.close();
			source = undefined;
			clearTimeout(retry);
			wasLost = true;
			setIsOpen(false);
		};
		const connect = () => {
			const opened = new EventSource(address);
			source = opened;
			opened.onopen = () => {
				setIsOpen(true);
				if (wasLost) onEvent();
			};
			// A browser tries again by itself where the connection ended, not where it was refused.
			opened.onerror = () => {
				wasLost = true;
				setIsOpen(false);
				if (opened.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryMs);
			};
			opened.addEventListener(event, () => {
				clearTimeout(burst);
				burst = setTimeout(onEvent, burstMs);
			});
		};
		// A browser allows few connections to one origin: a page that is not looked at holds none.
		const follow = () => (document.hidden ? close() : connect());
		follow();
		document.addEventListener("visibilitychange", follow);
		return () => {
			document.removeEventListener("visibilitychange", follow);
			clearTimeout(burst);
			close();
		};
	}, [address, event]);
	return isOpen;
}
