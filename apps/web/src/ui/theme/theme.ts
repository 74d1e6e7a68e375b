import { type ThemeConfig, theme } from 'antd';
import { faces, palettes, sizes, type ThemeMode } from './tokens.ts';

/**
 * antd's theme for a mode, built from the same tokens as the kit's CSS variables. Reduced motion uses antd's own setting: its
 * menus wait for the end of a transition before they are positioned, and would wait forever if only CSS removed it.
 */
export const themeFor = (mode: ThemeMode, { still }: { still: boolean }): ThemeConfig => {
  const palette = palettes[mode];
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: palette.accent,
      colorLink: palette.accent,
      colorLinkHover: palette.accentHover,
      colorInfo: palette.accent,
      colorSuccess: palette.teal,
      colorWarning: palette.orange,
      colorError: palette.red,
      colorErrorText: palette.redText,
      colorTextBase: palette.text,
      colorText: palette.text,
      colorTextSecondary: palette.textSecondary,
      colorTextTertiary: palette.textFaint,
      colorTextDescription: palette.textFaint,
      colorTextPlaceholder: palette.textFaint,
      colorTextLightSolid: palette.onAccent,
      colorBgBase: palette.surface,
      colorBgLayout: palette.page,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBgSpotlight: palette.inverse,
      colorBorder: palette.line,
      colorBorderSecondary: palette.lineSoft,
      colorSplit: palette.lineSoft,
      fontFamily: faces.text,
      fontFamilyCode: faces.mono,
      fontSize: sizes.font,
      borderRadius: sizes.radius,
      borderRadiusLG: sizes.radiusCard,
      controlHeight: sizes.control,
      controlHeightSM: 26,
      controlHeightLG: 38,
      wireframe: false,
      motion: !still,
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Button: {
        // The colours that antd would derive have too little contrast (WCAG 2.2, 1.4.3).
        colorPrimaryHover: palette.accentHover,
        colorErrorHover: palette.redText,
        fontWeight: 500,
        primaryColor: palette.onAccent,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        defaultBg: palette.surface,
      },
      Segmented: {
        itemSelectedBg: palette.accentSoft,
        itemSelectedColor: palette.accent,
        itemColor: palette.textSecondary,
        trackBg: palette.surface,
        trackPadding: 0,
      },
      // Errors below fields are text, so they use the text colour, in dialogs, too.
      Form: { colorError: palette.redText },
      Tooltip: { colorTextLightSolid: palette.onInverse },
      Checkbox: { colorBorder: palette.lineStrong },
      Radio: { colorBorder: palette.lineStrong },
      Menu: { itemBorderRadius: sizes.radius },
      Tabs: {
        horizontalMargin: '0 0 14px 0',
        horizontalItemGutter: 22,
        horizontalItemPadding: '9px 0',
        itemColor: palette.textSecondary,
      },
      Skeleton: {
        gradientFromColor: palette.track,
        gradientToColor: palette.lineSoft,
      },
    },
  };
};
