import type { ComponentChildren } from "preact";

/** What may be wider than a phone, and is scrolled sideways there; also with the keyboard. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
	<section class="scroll" aria-label={label} tabIndex={0}>
		{children}
	</section>
);
