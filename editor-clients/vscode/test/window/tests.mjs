// Drives the window as a human does: each journey in a window of its own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Human } from './page.mjs';
import { replaceJourney } from './replace.mjs';
import { toolJourney, untrustedJourney } from './tools.mjs';
import { unsavedJourney } from './unsaved.mjs';

const journeys = [replaceJourney, unsavedJourney, toolJourney, untrustedJourney];

export async function runAll(open, results) {
  let failed = 0;
  for (const journey of journeys) {
    if (process.env.ONLY && !journey.name.includes(process.env.ONLY)) {
      continue;
    }
    const window = await open(journey);
    const human = new Human(window, results);
    const started = Date.now();
    try {
      await window.page.locator('.activitybar .action-label[aria-label^="xcsh"]').waitFor({ timeout: 60000 }); // the extension is known
      await journey.run(human, {
        assert,
        disk: (name) => fs.readFileSync(path.join(window.ws, name), 'utf8'),
        step: (text) => console.log(`[window] ok    ${journey.name}: ${text} (${((Date.now() - started) / 1000).toFixed(1)} s)`),
        window,
      });
    } catch (error) {
      failed++;
      console.log(`[window] FAIL  ${journey.name}: ${error.stack ?? error.message}`);
      await human.shot(`failed-${journey.name}`).catch(() => {});
    }
    await window.close();
  }
  if (failed > 0) {
    throw new Error(`${failed} journeys failed`);
  }
}
