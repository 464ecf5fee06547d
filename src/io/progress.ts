export interface ProgressLine {
  /** Replaces the line. */
  say(text: string): void;
  /** Takes the line away, so that something else can be printed. */
  end(): void;
}

/**
 * One line that says what is going on and then vanishes.
 * @param columns width of the terminal; undefined where there is none, and then nothing is ever written
 */
export function progressLine(write: (text: string) => void, columns: (() => number) | undefined): ProgressLine {
  let shown = false;
  const clear = '\r\u001b[2K';
  return {
    say(text) {
      if (!columns) return;
      write(`${clear}${text.replace(/\p{Cc}/gu, ' ').slice(0, Math.max(10, columns() - 1))}`);
      shown = true;
    },
    end() {
      if (shown) write(clear);
      shown = false;
    },
  };
}
